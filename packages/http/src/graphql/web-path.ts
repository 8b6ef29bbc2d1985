import type { Json } from './resolver.ts'

/** The path of a URL of the site. */
export const toWebPath = ({ web_url: url }: Json): string => new URL(String(url)).pathname
