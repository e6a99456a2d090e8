/** One line on a terminal that says how far long work is; nothing elsewhere. */
import pc from 'picocolors';

export interface Counter {
  show(text: string): void;
  wipe(): void;
}

export function openCounter(): Counter {
  const animated = process.stderr.isTTY === true && pc.isColorSupported && (process.env['CI'] ?? '') === '';
  return {
    show: (text) => void (animated && process.stderr.write(`\r\u001b[K${text}`)),
    wipe: () => void (animated && process.stderr.write('\r\u001b[K')),
  };
}
