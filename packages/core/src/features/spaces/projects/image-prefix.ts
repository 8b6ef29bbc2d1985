import type { Context } from '../../../kernel/context.ts'

/** The host in image names: that of the registry, otherwise that of the site. */
export const getRegistryHost = ({ ports, call }: Pick<Context, 'ports' | 'call'>): string =>
  ports.registry.host ?? (call.siteUrl === undefined ? 'localhost' : new URL(call.siteUrl).host)
