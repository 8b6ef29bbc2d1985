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

/** The variables with which a pipeline was created. */
export const readVariables = async (ctx: Context, pipeline: PipelineRecord): Promise<readonly PipelineVariable[]> => {
  const row = await ctx.db
    .selectFrom('pipeline')
    .where('id', '=', pipeline.id)
    .select('sealedVariables')
    .executeTakeFirst()
  const sealed = row?.sealedVariables ?? null
  return sealed === null ? [] : JSON.parse(ctx.ports.secrets.open(sealed, getContext(pipeline)))
}
