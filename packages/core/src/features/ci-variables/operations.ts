import { container } from '../../access/subjects.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { containerKey } from '../members/queries.ts'
import { filterEntries, keyEntries, newVariableEntries, scopeEntries, variableChangeEntries } from './inputs.ts'
import { addVariable, changeVariable, findVariable, removeVariable, selectVariables, toVariable } from './store.ts'

/** Variables of pipelines, with their values. Nothing is executed: hosts that run pipelines read them. */
export const ciVariables = {
  /** Lists the variables of a project or a group, by id. */
  list: query({
    on: container,
    can: 'ciVariable.manage',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      paginate(selectVariables(ctx, containerKey(subject)).orderBy('id'), paging, toVariable(ctx)),
  }),

  /**
   * Gets a variable of a project or a group.
   *
   * @throws PlatformError `conflict` if several environment scopes have the key, and `filter` selects none
   */
  get: query({
    on: container,
    can: 'ciVariable.manage',
    input: { ...keyEntries, ...filterEntries },
    run: async (ctx, { key, filter }, subject) =>
      toVariable(ctx)(await findVariable(ctx, containerKey(subject), key, filter?.environmentScope)),
  }),

  /**
   * Creates a variable of a project or a group.
   *
   * @throws PlatformError `invalid` for a taken key, a value that cannot be masked, and more than 8,000 (groups: 30,000) variables
   */
  create: command({
    on: container,
    can: 'ciVariable.manage',
    input: { ...newVariableEntries, ...scopeEntries },
    run: (ctx, variable, subject) => addVariable(ctx, containerKey(subject), variable),
  }),

  /** Changes a variable of a project or a group; absent fields keep their values. */
  update: command({
    on: container,
    can: 'ciVariable.manage',
    input: { ...variableChangeEntries, ...scopeEntries, ...filterEntries },
    rules: [atLeastOne('value', 'variableType', 'protected', 'masked', 'raw', 'environmentScope')],
    async run(ctx, { key, filter, ...change }, subject) {
      const owner = containerKey(subject)
      return changeVariable(ctx, owner, await findVariable(ctx, owner, key, filter?.environmentScope), change)
    },
  }),

  /** Removes a variable of a project or a group. */
  remove: command({
    on: container,
    can: 'ciVariable.manage',
    input: { ...keyEntries, ...filterEntries },
    run: async (ctx, { key, filter }, subject) =>
      removeVariable(ctx, await findVariable(ctx, containerKey(subject), key, filter?.environmentScope)),
  }),
}
