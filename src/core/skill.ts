import type { ToolOutput } from './result.ts';

/** The skills of a session, for the tool that loads them. */
export interface SkillPower {
  /**
   * The text of the skill that a name stands for, loaded by that call: it then counts as active until it is
   * dropped. The output says what was loaded and dropped in `data.skill`. `invalid_input` names near ones.
   */
  load(name: string, use: { readonly callId: string; readonly task?: string }): Promise<ToolOutput>;
}
