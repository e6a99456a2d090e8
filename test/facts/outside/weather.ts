/** A feature as somebody else would write it: copied into a copy of src by feature-contract.test.ts. */
import type { Feature } from '../../../src/core/facts/core/plugin.ts';

const stormy = 'storm';

export const weather: Feature = {
  name: 'weather',
  after: ['exchanges'],
  facts: {
    message: {
      weather: { says: 'notifications/message: the weather that its data tells of.', rests: [] },
      loud: {
        says: 'The message is one of weather that is loud.',
        rests: [],
        read: ({ method }) => typeof method === 'string' && method.startsWith('weather/'),
      },
    },
    session: { forecasts: { says: 'How often the weather was told of.', rests: ['start'] } },
  },
  create() {
    let told = 0;
    return {
      message({ item, method }) {
        if (item.from !== 'server' || method !== 'notifications/message') return undefined;
        const { data } = (item.message as { params: { data: unknown } }).params;
        if (data === stormy) throw new Error('no roof');
        told += 1;
        return { facts: { weather: data } };
      },
      sessionOver: () => ({ facts: { forecasts: told } }),
    };
  },
};
