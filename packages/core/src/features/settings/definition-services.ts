import { flag, list, secret, text } from './setting.ts'

const asset = {
  requiresRestart: true,
  governs: 'Where images in rendered Markdown and in descriptions of labels are fetched from; at once, here.',
} as const

const outbound = { governs: 'Where push mirrors may lead.' } as const

/** Services this one talks to, and which addresses it may call. */
export const serviceSettings = {
  spamfilterEnabled: flag(false, 'New issues and snippets pass the spam filter.', { requires: ['spamfilterApiKey'] }),
  spamfilterApiKey: secret(text(null, 'API key of the spam filter.')),
  assetProxyEnabled: flag(false, 'Images of other sites are fetched through a proxy.', {
    ...asset,
    requires: ['assetProxyUrl'],
  }),
  assetProxyUrl: text(null, 'Address of the image proxy.', asset),
  assetProxySecretKey: secret(text(null, 'Secret shared with the image proxy.', asset)),
  assetProxyWhitelist: list([], 'Domains whose images do not pass the proxy; `*` stands for any text.', asset),
  avatarserviceEnabled: flag(true, 'People without a picture get one from the avatar service.', {
    governs: 'The `avatar_url` of people without a picture of their own: an address there, or null.',
  }),
  diagramtoolEnabled: flag(false, 'Diagram blocks in Markdown are drawn by the diagram server.', {
    requires: ['diagramtoolUrl'],
  }),
  diagramtoolUrl: text(null, 'Address of the diagram server.'),
  kubeIntegrationEnabled: flag(false, 'Kubernetes clusters can be created at the cloud provider.'),
  kubeAccountId: text(null, 'Account at the cloud provider that creates clusters.'),
  kubeAccessKeyId: secret(text(null, 'Access key of that account.')),
  kubeSecretAccessKey: secret(text(null, 'Secret belonging to that access key.')),
  allowLocalRequestsFromSystemHooks: flag(true, 'System hooks may call addresses in the local network.'),
  allowLocalRequestsFromWebHooksAndServices: flag(
    false,
    'Web hooks, mirrors and other services may call addresses in the local network.',
    outbound,
  ),
  outboundLocalRequestsWhitelist: list([], 'Local hosts and address ranges that may be called all the same.', outbound),
  dnsRebindingProtectionEnabled: flag(
    true,
    'A checked host name is called at the very address that was checked.',
    outbound,
  ),
}
