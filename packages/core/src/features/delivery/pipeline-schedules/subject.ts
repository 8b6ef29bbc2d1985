import { project } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { findSchedule } from './queries.ts'

/** A schedule of a project. */
export const pipelineSchedule = within(
  project,
  'pipelineSchedule',
  {
    /** Id of the schedule, as in `pipelineSchedules.list`. */
    schedule: Id,
  },
  async (ctx, { project, access }, reference) => {
    const schedule = await findSchedule(ctx, reference.schedule)
    return schedule?.projectId === project.id ? { kind: 'pipelineSchedule', project, access, schedule } : undefined
  },
)
