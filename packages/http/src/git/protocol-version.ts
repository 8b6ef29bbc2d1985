/** The version in the header `Git-Protocol` or the variable `GIT_PROTOCOL`: `version=2`, also among other fields. */
export const parseProtocolVersion = (text = ''): 1 | 2 | undefined => {
  const version = /(?:^|:)version=([12])(?::|$)/.exec(text)?.[1]
  return version === undefined ? undefined : version === '2' ? 2 : 1
}
