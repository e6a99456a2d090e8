/** All mutations and variants by id. */
import type { Mutation, Variant } from './mutation.ts';

export const mutations: readonly Mutation[] = [];
export const variants: readonly Variant[] = [];
