/** Tools that need nothing but their arguments, and the slow one. */
import { pause } from '../../session/request-context.ts';
import { atLeast } from '../../protocol/revisions.ts';
import { pngBase64 } from '../kinds/samples.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

const progressSteps = 6;
/** Content of the resource demo://work between two of them. */
const piecesOfStep = 5;

export const basicTools: readonly Tool[] = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Returns the text that it is given.',
    properties: { text: { type: 'string', description: 'What to return.' } },
    required: ['text'],
    icons: [{ src: `data:image/png;base64,${pngBase64}`, mimeType: 'image/png', sizes: ['1x1'], theme: 'light' }],
    meta: { 'com.example/category': 'samples' },
    readOnly: true,
    taskSupport: 'optional',
    run: (given) => text(String(given.text)),
  },
  {
    name: 'add',
    title: 'Add',
    description: 'Adds two numbers.',
    properties: {
      a: { type: 'number', description: 'First summand.' },
      b: { type: 'number', description: 'Second summand.' },
    },
    required: ['a', 'b'],
    readOnly: true,
    run: (given) => text(String(Number(given.a) + Number(given.b))),
  },
  {
    name: 'about',
    title: 'About',
    description: 'Tells the name of this server. Takes no arguments.',
    readOnly: true,
    taskSupport: 'forbidden',
    run: (_given, context) => ({
      ...text(`${context.host.serverInfo.name} ${context.host.serverInfo.version}`),
      _meta: { 'com.example/source': 'about' },
    }),
  },
  {
    name: 'slow',
    title: 'Slow work',
    description: 'Works for a while, reports progress, and can be cancelled; demo://work shows how far it is.',
    properties: {
      ms: { type: 'integer', description: 'Duration in milliseconds, 600 by default.', minimum: 0, maximum: 60_000 },
    },
    readOnly: true,
    taskSupport: 'optional',
    async run(given, context) {
      const ms = typeof given.ms === 'number' ? given.ms : 600;
      for (let step = 1; step <= progressSteps; step += 1) {
        context.progress(step, progressSteps, `step ${step}`);
        for (let piece = 0; piece < piecesOfStep; piece += 1) {
          await pause(ms / progressSteps / piecesOfStep, context.signal);
          context.world.work += 1;
        }
      }
      return text(`worked for ${ms} ms`);
    },
  },
  {
    name: 'fail',
    title: 'Fail',
    description: 'Always fails, and says so in its result.',
    readOnly: true,
    taskSupport: 'optional',
    run: () => ({ ...text('This tool always fails.'), isError: true }),
  },
  {
    name: 'forecast',
    title: 'Forecast',
    description: 'Returns structured weather data for a place.',
    properties: { place: { type: 'string', description: 'Name of the place.' } },
    required: ['place'],
    outputSchema: {
      type: 'object',
      properties: {
        place: { type: 'string' },
        celsius: { type: 'number' },
        sky: { type: 'string', enum: ['clear', 'cloudy'] },
      },
      required: ['place', 'celsius', 'sky'],
    },
    readOnly: true,
    taskSupport: 'optional',
    run(given, context) {
      const forecast = { place: String(given.place), celsius: 12.5, sky: 'cloudy' };
      const structured = atLeast(context.revision, '2025-06-18') ? { structuredContent: forecast } : {};
      return { ...text(JSON.stringify(forecast)), ...structured };
    },
  },
];
