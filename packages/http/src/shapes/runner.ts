import type { NewRunner, Runner, RunnerDetails, RunnerGroup } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'
import { BasicProjectWire } from './project.ts'
import { UserSummaryWire } from './user.ts'

export const RunnerWire = wire<Runner>('Runner')({
  id: Integer,
  description: NullableText,
  ip_address: NullableText,
  /** Older form of `paused`: the opposite. */
  active: computed(v.boolean(), ({ paused }: Runner) => !paused),
  paused: v.boolean(),
  /** Whether the runner takes jobs of all projects. */
  is_shared: computed(v.boolean(), ({ runnerType }: Runner) => runnerType === 'instance_type'),
  runner_type: v.string(),
  name: NullableText,
  /** Whether the runner has sent a request within two hours. */
  online: computed(v.boolean(), ({ status }: Runner) => status === 'online'),
  status: v.string(),
  created_at: DateTime,
  created_by: nullable(UserSummaryWire),
})

const RunnerGroupWire = wire<RunnerGroup>('RunnerGroup')({
  id: Integer,
  name: v.string(),
  /** URL of the group's page. */
  web_url: computed(Url, ({ fullPath }: RunnerGroup, { url }: Site) => `${url}/groups/${fullPath}`),
})

export const RunnerDetailsWire = wire<RunnerDetails>('RunnerDetails')({
  ...RunnerWire.fields,
  tag_list: v.array(v.string()),
  run_untagged: v.boolean(),
  locked: v.boolean(),
  access_level: v.string(),
  maximum_timeout: NullableInteger,
  maintenance_note: NullableText,
  version: NullableText,
  revision: NullableText,
  platform: NullableText,
  architecture: NullableText,
  contacted_at: NullableDateTime,
  projects: list(BasicProjectWire),
  groups: list(RunnerGroupWire),
})

export const NewRunnerWire = wire<NewRunner>('NewRunner')({
  id: Integer,
  token: v.string(),
  token_expires_at: NullableDateTime,
})

/** A new token without the id of a runner. */
export const RunnerTokenWire = wire<Omit<NewRunner, 'id'>>('RunnerToken')({
  token: v.string(),
  token_expires_at: NullableDateTime,
})
