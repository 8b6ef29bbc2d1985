import type { TypeResolvers } from '../resolver.ts'

const levelNames: Readonly<Record<number, string>> = {
  0: 'NO_ACCESS',
  10: 'GUEST',
  20: 'REPORTER',
  30: 'DEVELOPER',
  40: 'MAINTAINER',
  50: 'OWNER',
}

/** Fields of members, which are users with an access level. */
export const memberResolvers: TypeResolvers = {
  computed: {
    user: (member) => member,
    accessLevel: ({ access_level: level }) => ({
      string_value: levelNames[Number(level)] ?? null,
      integer_value: level,
    }),
  },
}
