import { type AnyCommand, itemCommand } from '../command.ts'

export const registryCommands: readonly AnyCommand[] = [
  itemCommand({
    usage: 'registry certificate',
    description: 'print the certificate with which a container registry trusts the tokens of serve --registry-tokens',
    createsData: true,
    examples: ['forgelet registry certificate > registry.crt'],
    run: ({ registryTokens }) => registryTokens.getCertificate(),
    print: ({ certificate }) => certificate.trimEnd(),
  }),
]
