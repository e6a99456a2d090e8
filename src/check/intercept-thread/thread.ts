/**
 * The thread in which `mcpc intercept` records and judges: however long that takes for a message, the main thread hands
 * on the next one at once.
 */
import { enterThread } from '../threads/inside.ts';
import { describeError } from '../threads/thrown-error.ts';
import type { FromRecording, RecordingOptions, ToRecording } from './messages.ts';
import { openRecording, type Recording } from './recording.ts';

const { port, options, report } = enterThread<FromRecording, RecordingOptions>();

async function open(): Promise<Recording | undefined> {
  try {
    const recording = await openRecording(
      options,
      (finding) => report({ say: 'finding', finding }),
      performance.timeOrigin + performance.now(),
    );
    report({ say: 'ready' });
    return recording;
  } catch (error) {
    report({ say: 'failed', error: describeError(error) });
    return undefined;
  }
}

async function conclude(recording: Recording | undefined, left: number): Promise<void> {
  try {
    const recorded = await recording!.conclude(left);
    report({ say: 'done', recorded });
  } catch (error) {
    report({ say: 'failed', error: describeError(error) });
  } finally {
    recording!.dispose();
  }
}

// Messages wait for a listener.
void open().then((recording) =>
  port.on('message', (message: ToRecording) => {
    if (message.say === 'conclude') return void conclude(recording, message.left);
    recording?.flush();
    for (const tap of message.taps) recording?.take(tap, message.at);
    report({ say: 'taken', weight: message.weight });
    void recording?.caughtUp().then(() => report({ say: 'judged', weight: message.weight }));
  }),
);
