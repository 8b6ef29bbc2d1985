import { place, toPlaceKey } from '../../../access/subjects.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { filterEntries, keyEntries, newVariableEntries, scopeEntries, variableChangeEntries } from './inputs.ts'
import { addVariable, changeVariable, findVariable, removeVariable, selectVariables, toVariable } from './store.ts'

type Input = Readonly<Record<string, unknown>>

const isOfInstance = ({ project, group }: Input) => project === undefined && group === undefined

/** The pipelines of all environments have the variables of the instance. */
const scopeOutsideInstance: InputRule<Input> = (input) =>
  isOfInstance(input) && input.environmentScope !== undefined
    ? { fields: ['environmentScope'], message: 'is not for variables of the instance' }
    : undefined

const requireChange: InputRule<Input> = (input) =>
  atLeastOne<Input>(
    ...['value', 'variableType', 'protected', 'masked', 'raw', 'description'],
    ...(isOfInstance(input) ? [] : ['environmentScope']),
  )(input)

/** Variables of pipelines, with their values. Nothing is executed: hosts that run pipelines read them. */
export const ciVariables = {
  /** Lists the variables of a project, a group or, without both, the instance, by id. */
  list: query({
    on: place,
    can: 'ciVariable.manage',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      paginate(selectVariables(ctx, toPlaceKey(subject)).orderBy('id'), paging, toVariable(ctx)),
  }),

  /**
   * Gets a variable of a project, a group or the instance.
   *
   * @throws PlatformError `conflict` if several environment scopes have the key, and `filter` selects none
   */
  get: query({
    on: place,
    can: 'ciVariable.manage',
    input: { ...keyEntries, ...filterEntries },
    run: async (ctx, { key, filter }, subject) =>
      toVariable(ctx)(await findVariable(ctx, toPlaceKey(subject), key, filter?.environmentScope)),
  }),

  /**
   * Creates a variable of a project, a group or the instance.
   *
   * @throws PlatformError `invalid` for a taken key, a value that cannot be masked, and more than 8,000
   * (groups: 30,000, the instance: 25) variables
   */
  create: command({
    on: place,
    can: 'ciVariable.manage',
    input: { ...newVariableEntries, ...scopeEntries },
    rules: [scopeOutsideInstance],
    run: (ctx, variable, subject) => addVariable(ctx, toPlaceKey(subject), variable),
  }),

  /** Changes a variable of a project, a group or the instance; omitted fields keep their values. */
  update: command({
    on: place,
    can: 'ciVariable.manage',
    input: { ...variableChangeEntries, ...scopeEntries, ...filterEntries },
    rules: [scopeOutsideInstance, requireChange],
    async run(ctx, { key, filter, ...change }, subject) {
      const owner = toPlaceKey(subject)
      return changeVariable(ctx, owner, await findVariable(ctx, owner, key, filter?.environmentScope), change)
    },
  }),

  /** Removes a variable of a project, a group or the instance. */
  remove: command({
    on: place,
    can: 'ciVariable.manage',
    input: { ...keyEntries, ...filterEntries },
    run: async (ctx, { key, filter }, subject) =>
      removeVariable(ctx, await findVariable(ctx, toPlaceKey(subject), key, filter?.environmentScope)),
  }),
}
