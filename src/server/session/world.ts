/**
 * The changeable state behind the features: whether the bonus entries are listed and how often the
 * counter resource was touched. A stateful session has a world of its own, so that parallel
 * sessions cannot disturb one another; all stateless requests share one.
 */
export class World {
  /** True once the tool change-lists has added an entry to each list. */
  bonus = false;
  counter = 0;
  /** Progress of the slow tool, for every caller. */
  work = 0;
  /** Of the fixtures: the entries that test_trigger_tool_change and test_trigger_prompt_change add. */
  fixtureTool = false;
  fixturePrompt = false;
}
