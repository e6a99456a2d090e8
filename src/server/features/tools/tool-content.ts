/** Tools that return content other than text; older revisions get what they know. */
import { atLeast } from '../../protocol/revisions.ts';
import { pngBase64, wavBase64 } from '../kinds/samples.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

export const contentTools: readonly Tool[] = [
  {
    name: 'picture',
    title: 'Picture',
    description: 'Returns a small image.',
    readOnly: true,
    taskSupport: 'optional',
    run: () => ({ content: [{ type: 'image', data: pngBase64, mimeType: 'image/png' }] }),
  },
  {
    name: 'sound',
    title: 'Sound',
    description: 'Returns a short piece of audio, or a text where the revision has no audio content.',
    readOnly: true,
    run: (_given, context) =>
      atLeast(context.revision, '2025-03-26')
        ? { content: [{ type: 'audio', data: wavBase64, mimeType: 'audio/wav' }] }
        : text('This revision has no audio content.'),
  },
  {
    name: 'attach',
    title: 'Attach',
    description: 'Returns an embedded resource and, where the revision has it, a link to another.',
    readOnly: true,
    run: (_given, context) => ({
      content: [
        {
          type: 'resource',
          resource: { uri: 'demo://greeting', mimeType: 'text/plain', text: 'Hello from the reference server.' },
        },
        ...(atLeast(context.revision, '2025-06-18')
          ? [{ type: 'resource_link', uri: 'demo://notes/1', name: 'note-1', mimeType: 'text/plain' }]
          : []),
      ],
    }),
  },
];
