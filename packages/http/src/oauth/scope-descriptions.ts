/** What the scopes permit, for the consent page. */
const descriptions: Readonly<Record<string, string>> = {
  api: 'Full access to the API: read and change everything that you can read and change',
  read_api: 'Read everything in the API that you can read',
  read_user: 'Read your user, and other users',
  read_repository: 'Read repositories with git',
  write_repository: 'Read and change repositories with git',
  openid: 'Confirm who you are',
  profile: 'Read your name, username and picture',
  email: 'Read your e-mail address',
}

export const describeScope = (scope: string): string => descriptions[scope] ?? scope
