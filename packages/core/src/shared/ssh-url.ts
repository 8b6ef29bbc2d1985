import type { Project } from '../contract/project.ts'

/** The usual port of SSH, with which addresses have the short form. */
const usualPort = 22

/**
 * The URL of a repository for git over SSH: `git@forge.example:acme/web.git`, or `ssh://git@forge.example:2222/acme/web.git`.
 *
 * @param siteUrl the URL of the site; the SSH server has the same host
 * @param sshPort the port of the SSH server. Default: 22
 */
export const formatSshUrl = ({ fullPath }: Pick<Project, 'fullPath'>, siteUrl: string, sshPort = usualPort): string => {
  const host = URL.parse(siteUrl)?.hostname || 'localhost'
  return sshPort === usualPort ? `git@${host}:${fullPath}.git` : `ssh://git@${host}:${sshPort}/${fullPath}.git`
}
