/** Properties that test runners, printers and frameworks read from any object to find out what it is. */
const probed: ReadonlySet<string> = new Set([
  ...[
    'asymmetricMatch',
    'catch',
    'default',
    'dispose',
    'finally',
    'getter',
    'hasAttribute',
    'inspect',
    'key',
    'length',
  ],
  ...['nodeName', 'nodeType', 'setter', 'size', 'tagName', 'then', 'toJSON', 'type'],
])

/** Names such as `listNotes` and `merge_requests`, without those of lifecycle hooks such as `onModuleInit`. */
const isCallable = (name: string): boolean =>
  /^[A-Za-z][\w-]*$/.test(name) && !/^(?:on|before|after|ng)[A-Z]/.test(name) && !probed.has(name)

/**
 * A prototype that makes unknown names errors. Known names never reach it, so it costs them nothing. Symbols, the members of
 * all objects, and names that tools read are undefined as usual.
 *
 * @param explain returns the error message for an unknown name; undefined if the name is not an error
 */
export const createNameGuard = (explain: (name: string) => string | undefined): object =>
  new Proxy(
    {},
    {
      get(target, name, receiver) {
        const isUnknown = typeof name === 'string' && !(name in target) && isCallable(name)
        const message = isUnknown ? explain(name) : undefined
        if (message !== undefined) throw new TypeError(message)
        return Reflect.get(target, name, receiver)
      },
    },
  )
