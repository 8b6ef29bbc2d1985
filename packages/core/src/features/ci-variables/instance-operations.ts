import { instance } from '../../access/subjects.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { keyEntries, newVariableEntries, variableChangeEntries } from './inputs.ts'
import {
  addVariable,
  changeVariable,
  findVariable,
  removeVariable,
  selectVariables,
  toVariable,
  type VariableOwner,
} from './store.ts'

const owner: VariableOwner = { projectId: null, groupId: null }

/** Variables of the pipelines of all projects; for administrators. */
export const instanceVariables = {
  /** Lists the variables of the instance, by id. */
  list: query({
    on: instance,
    can: 'ciVariable.manage',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectVariables(ctx, owner).orderBy('id'), paging, toVariable(ctx)),
  }),

  /** Gets a variable of the instance. */
  get: query({
    on: instance,
    can: 'ciVariable.manage',
    input: keyEntries,
    run: async (ctx, { key }) => toVariable(ctx)(await findVariable(ctx, owner, key)),
  }),

  /**
   * Creates a variable of the instance.
   *
   * @throws PlatformError `invalid` for a taken key, a value that cannot be masked, and more than 25 variables
   */
  create: command({
    on: instance,
    can: 'ciVariable.manage',
    input: newVariableEntries,
    run: (ctx, variable) => addVariable(ctx, owner, variable),
  }),

  /** Changes a variable of the instance; absent fields keep their values. */
  update: command({
    on: instance,
    can: 'ciVariable.manage',
    input: variableChangeEntries,
    rules: [atLeastOne('value', 'variableType', 'protected', 'masked', 'raw')],
    run: async (ctx, { key, ...change }) => changeVariable(ctx, owner, await findVariable(ctx, owner, key), change),
  }),

  /** Removes a variable of the instance. */
  remove: command({
    on: instance,
    can: 'ciVariable.manage',
    input: keyEntries,
    run: async (ctx, { key }) => removeVariable(ctx, await findVariable(ctx, owner, key)),
  }),
}
