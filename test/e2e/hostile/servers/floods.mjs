/** Fills memory: it sends messages that are small as text and large as values, without end. */
import { serve, sound } from './small-mcp.mjs';

const many = `[${'[],'.repeat(1_500_000)}[]]`;

serve(undefined, {
  answers: sound,
  started: () => {
    const more = () => {
      while (
        process.stdout.write(
          `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${many}}}\n`,
        )
      );
      process.stdout.once('drain', more);
    };
    setTimeout(more, 200);
  },
});
