/**
 * Loaded before mcpc (NODE_OPTIONS): a text with the word below keeps the thread that parses it busy for ever, as a
 * fault of mcpc would that a hostile server has found.
 */
const parse = JSON.parse;

JSON.parse = (text, ...rest) => {
  if (typeof text === 'string' && text.includes('mcpc-reads-this-for-ever')) for (;;);
  return parse(text, ...rest);
};
