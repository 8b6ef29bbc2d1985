import { flag, list, text } from './setting.ts'

const asset = { requiresRestart: true } as const

/** Services this one talks to, and which addresses it may call. */
export const serviceSettings = {
  spamfilterEnabled: flag(false, 'New issues and snippets pass the spam filter.', { requires: ['spamfilterApiKey'] }),
  spamfilterApiKey: text(null, 'API key of the spam filter.', { secret: true }),
  assetProxyEnabled: flag(false, 'Images of other sites are fetched through a proxy.', {
    ...asset,
    requires: ['assetProxyUrl'],
  }),
  assetProxyUrl: text(null, 'Address of the image proxy.', asset),
  assetProxySecretKey: text(null, 'Secret shared with the image proxy.', { ...asset, secret: true }),
  assetProxyWhitelist: list([], 'Domains whose images do not pass the proxy; `*` stands for any text.', asset),
  avatarserviceEnabled: flag(true, 'People without a picture get one from the avatar service.'),
  diagramtoolEnabled: flag(false, 'Diagram blocks in Markdown are drawn by the diagram server.', {
    requires: ['diagramtoolUrl'],
  }),
  diagramtoolUrl: text(null, 'Address of the diagram server.'),
  kubeIntegrationEnabled: flag(false, 'Kubernetes clusters can be created at the cloud provider.'),
  kubeAccountId: text(null, 'Account at the cloud provider that creates clusters.'),
  kubeAccessKeyId: text(null, 'Access key of that account.', { secret: true }),
  kubeSecretAccessKey: text(null, 'Secret belonging to that access key.', { secret: true }),
  allowLocalRequestsFromSystemHooks: flag(true, 'System hooks may call addresses in the local network.'),
  allowLocalRequestsFromWebHooksAndServices: flag(
    false,
    'Web hooks, mirrors and other services may call addresses in the local network.',
  ),
  outboundLocalRequestsWhitelist: list([], 'Local hosts and address ranges that may be called all the same.'),
  dnsRebindingProtectionEnabled: flag(true, 'A checked host name is called at the very address that was checked.'),
}
