/** The package has no types. */
declare module 'passport-gitlab2' {
  export default class GitLabStrategy {
    constructor(
      options: Readonly<Record<'clientID' | 'clientSecret' | 'callbackURL' | 'baseURL', string>>,
      // biome-ignore lint/suspicious/noExplicitAny: the parameters depend on the options
      verify: (...input: any[]) => void,
    )
    authenticate(request: object, options: object): void
  }
}
