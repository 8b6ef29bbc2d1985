import { flag, list, secret, text } from './setting.ts'

const imageProxyTraits = {
  requiresRestart: true,
  effect: 'URLs of images in rendered Markdown and in label descriptions, without a restart.',
} as const

const diagramTraits = {
  effect:
    'Code blocks with the language `plantuml` become images of the server. The pages show only images of their own site: serve the ' +
    'diagrams below its address.',
} as const

const spamTraits = {
  effect:
    'New issues and snippets of users are sent to the filter of the host, by default Akismet, with the address of the client; spam is 400. ' +
    'They are accepted while it does not respond.',
} as const

const noClusters = { noEffect: 'The platform creates no clusters.' } as const

const outboundTraits = { effect: 'Allowed target hosts of webhooks and push mirrors.' } as const

/** External services, and the addresses that outbound requests can reach. */
export const serviceSettings = {
  spamfilterEnabled: flag(false, 'New issues and snippets are checked by the spam filter.', spamTraits),
  spamfilterApiKey: secret(text(null, 'API key of the spam filter.', spamTraits)),
  assetProxyEnabled: flag(false, 'Images of other sites are loaded through a proxy.', {
    ...imageProxyTraits,
  }),
  assetProxyUrl: text(null, 'URL of the image proxy.', imageProxyTraits),
  assetProxySecretKey: secret(text(null, 'Secret shared with the image proxy.', imageProxyTraits)),
  assetProxyWhitelist: list([], 'Domains of images that are loaded directly; `*` matches any text.', imageProxyTraits),
  avatarserviceEnabled: flag(true, 'Users without an avatar get one from the avatar service.', {
    effect:
      'The `avatar_url` of users without an avatar: a URL of the avatar service, which never contains a hash of a private e-mail address, or null.',
  }),
  diagramtoolEnabled: flag(
    false,
    'Diagram blocks (`plantuml`) in Markdown are rendered by the diagram server.',
    diagramTraits,
  ),
  diagramtoolUrl: text(null, 'URL of the diagram server.', diagramTraits),
  kubeIntegrationEnabled: flag(false, 'Kubernetes clusters can be created at the cloud provider.', noClusters),
  kubeAccountId: text(null, 'Id of the cloud provider account that creates clusters.', noClusters),
  kubeAccessKeyId: secret(text(null, 'Access key of the cloud provider account that creates clusters.', noClusters)),
  kubeSecretAccessKey: secret(
    text(null, 'Secret of the access key of the cloud provider account that creates clusters.', noClusters),
  ),
  allowLocalRequestsFromSystemHooks: flag(true, 'System hooks can call addresses in the local network.', {
    effect: 'Allowed target hosts of system hooks.',
  }),
  allowLocalRequestsFromWebHooksAndServices: flag(
    false,
    'Webhooks, mirrors and other services can call addresses in the local network.',
    outboundTraits,
  ),
  outboundLocalRequestsWhitelist: list(
    [],
    'Hosts, IP addresses and CIDR ranges that can be called although they are local.',
    outboundTraits,
  ),
  dnsRebindingProtectionEnabled: flag(
    true,
    'Requests connect to the IP address that was checked, which prevents DNS rebinding.',
    outboundTraits,
  ),
}
