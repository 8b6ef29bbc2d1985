import { place, toPlaceKey } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { HeaderName, HeaderValue, VariableName, VariableValue } from './hook-input.ts'
import { changeHeader, changeVariable } from './mutations.ts'

const headerInput = {
  /** Id of the hook, as in `hooks.list`. */
  hook: Id,
  /** Name of the header: letters, digits, `-` and `_`. */
  key: HeaderName,
}

const variableInput = {
  /** Id of the hook, as in `hooks.list`. */
  hook: Id,
  /** Name of the variable, without braces. */
  key: VariableName,
}

/** Single custom headers and URL variables of hooks. */
export const hookSecrets = {
  /** Sets a custom header of a hook, new or not; a hook has at most 20. */
  setCustomHeader: command({
    on: place,
    can: 'hook.manage',
    input: {
      ...headerInput,
      /** Value of the header; stored encrypted and never returned. */
      value: HeaderValue,
    },
    run: (ctx, { hook, key, value }, subject) => changeHeader(ctx, toPlaceKey(subject), hook, key, value),
  }),

  /** Removes a custom header of a hook. */
  removeCustomHeader: command({
    on: place,
    can: 'hook.manage',
    input: headerInput,
    run: (ctx, { hook, key }, subject) => changeHeader(ctx, toPlaceKey(subject), hook, key, null),
  }),

  /** Sets a URL variable of a hook, new or not; a hook has at most 20. A value that changes the host removes token and headers. */
  setUrlVariable: command({
    on: place,
    can: 'hook.manage',
    input: {
      ...variableInput,
      /** Text that replaces `{key}` in the URL; stored encrypted and never returned. */
      value: VariableValue,
    },
    run: (ctx, { hook, key, value }, subject) => changeVariable(ctx, toPlaceKey(subject), hook, key, value),
  }),

  /**
   * Removes a URL variable of a hook.
   *
   * @throws PlatformError `invalid` for a variable that the URL contains
   */
  removeUrlVariable: command({
    on: place,
    can: 'hook.manage',
    input: variableInput,
    run: (ctx, { hook, key }, subject) => changeVariable(ctx, toPlaceKey(subject), hook, key, null),
  }),
}
