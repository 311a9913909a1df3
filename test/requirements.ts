import { requirements as agent } from './requirements/agent.ts';
import { requirements as asks } from './requirements/asks.ts';
import { requirements as cli } from './requirements/cli.ts';
import { requirements as core } from './requirements/core.ts';
import { requirements as executor } from './requirements/executor.ts';
import { requirements as hooks } from './requirements/hooks.ts';
import { requirements as mcp } from './requirements/mcp.ts';
import { requirements as mcpServe } from './requirements/mcp-serve.ts';
import { requirements as model } from './requirements/model.ts';
import { requirements as policy } from './requirements/policy.ts';
import { requirements as registry } from './requirements/registry.ts';
import { requirements as runtime } from './requirements/runtime.ts';
import { requirements as sandbox } from './requirements/sandbox.ts';
import { requirements as schema } from './requirements/schema.ts';
import { requirements as skills } from './requirements/skills.ts';
import { requirements as store } from './requirements/store.ts';
import { requirements as testing } from './requirements/testing.ts';
import { requirements as tools } from './requirements/tools.ts';
import { requirements as wire } from './requirements/wire.ts';

/** Id -> the behaviour that a test citing it proves. */
export type Requirements = Readonly<Record<string, string>>;

/** Everything that the house promises, as data; `test/requirements.test.ts` counts the citations. */
export const requirements: Requirements = {
  ...core,
  ...schema,
  ...wire,
  ...registry,
  ...policy,
  ...hooks,
  ...executor,
  ...sandbox,
  ...skills,
  ...store,
  ...mcpServe,
  ...model,
  ...mcp,
  ...tools,
  ...agent,
  ...runtime,
  ...asks,
  ...cli,
  ...testing,
};
