import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** What the provider says in an ID token; a value of undefined omits the claim. */
export type IssuedClaims = Readonly<Record<string, unknown>>

const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'test' }

/** A provider for attacks: it answers without a network, and says what the test wants. */
export const createIssuer = (issuer = 'https://login.example') => {
  let claims: IssuedClaims = {}
  const requests: string[] = []
  const respond = async (path: string): Promise<object> => {
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      }
    }
    if (path === '/jwks') return { keys: [jwk] }
    const all = { iss: issuer, aud: 'forge', sub: 'sub-1', email: 'new@example.com', email_verified: true, ...claims }
    const token = await new SignJWT(JSON.parse(JSON.stringify(all)))
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)
    return { access_token: 'x', token_type: 'Bearer', id_token: token }
  }
  return {
    issuer,
    requests,
    /** Sets the claims of the next ID tokens. */
    say(next: IssuedClaims) {
      claims = next
    },
    fetch: async (url: string): Promise<Response> => {
      requests.push(url)
      return Response.json(await respond(new URL(url).pathname))
    },
  }
}
