import type { Json, TypeResolvers } from '../resolver.ts'

/** The path of a URL of the site. */
export const toWebPath = ({ web_url: url }: Json): string => new URL(String(url)).pathname

/** Fields of users. */
export const userResolvers: TypeResolvers = {
  computed: { webPath: toWebPath, publicEmail: () => null },
}
