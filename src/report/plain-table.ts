/** A table for a terminal without lines, indented by two columns. */
import Table from 'cli-table3';

const blank = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '  ',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Rows are pushed; `toString` gives the text. */
export function plainTable(head: string[], colAligns: ('left' | 'right')[]): Table.Table {
  return new Table({
    head,
    chars: blank,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns,
  });
}
