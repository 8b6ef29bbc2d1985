import type { Context } from '../../../kernel/context.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'

/** A variable of a pipeline. */
export interface PipelineVariable {
  /** Name of the variable: letters, digits and underscores. */
  key: string
  /** Value of the variable. */
  value: string
  /** `env_var`: an environment variable. `file`: the value is the content of a file. */
  variableType: 'env_var' | 'file'
}

const getContext = ({ projectId, iid }: Pick<PipelineRecord, 'projectId' | 'iid'>) =>
  `pipeline.${projectId}.${iid}.variables`

/** Variables can contain secrets. */
export const sealVariables = (
  { ports }: Context,
  pipeline: Pick<PipelineRecord, 'projectId' | 'iid'>,
  variables: readonly PipelineVariable[],
): string | null => (variables.length ? ports.secrets.seal(JSON.stringify(variables), getContext(pipeline)) : null)

/** The variables of a pipeline, or of one of its jobs. */
const openVariables = (
  { ports }: Context,
  pipeline: Pick<PipelineRecord, 'projectId' | 'iid'>,
  sealed: string | null,
): readonly PipelineVariable[] => (sealed === null ? [] : JSON.parse(ports.secrets.open(sealed, getContext(pipeline))))

/** The variables with which a job was started. */
export const readStartVariables = async (
  ctx: Context,
  pipeline: PipelineRecord,
  jobId: number,
): Promise<readonly PipelineVariable[]> => {
  const job = ctx.db.selectFrom('pipelineJob').where('id', '=', jobId)
  const { sealedVariables } = await job.select('sealedVariables').executeTakeFirstOrThrow()
  return openVariables(ctx, pipeline, sealedVariables)
}

/** The variables with which a pipeline was created. */
export const readVariables = async (ctx: Context, pipeline: PipelineRecord): Promise<readonly PipelineVariable[]> => {
  const row = await ctx.db
    .selectFrom('pipeline')
    .where('id', '=', pipeline.id)
    .select('sealedVariables')
    .executeTakeFirst()
  return openVariables(ctx, pipeline, row?.sealedVariables ?? null)
}
