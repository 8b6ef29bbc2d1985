import type { Generated } from 'kysely'

export interface PagesSiteTables {
  /** The choices of a project for its site. */
  pagesSite: {
    projectId: number
    /** Label of the host of the site below the host of all sites, which no other project has. */
    uniqueDomain: string
    isUniqueDomainEnabled: boolean
    httpsOnly: boolean
    /** Host to which requests at other hosts are redirected; null for none. */
    primaryDomain: string | null
  }
  /** The published site of a project; at most one per project. Its files follow each other in one file. */
  pagesDeployment: {
    id: Generated<number>
    projectId: number
    /** The job that built the site; null after its removal. */
    jobId: number | null
    /** Directory of the artifacts that is the root of the site. */
    rootDirectory: string
    storageKey: string
    /** Bytes of all files. */
    size: number
    /** Text of the file `_redirects`; null without one. */
    redirects: string | null
    createdAt: string
  }
  /** A file of a site. */
  pagesFile: {
    deploymentId: number
    /** Path below the root of the site, such as `css/site.css`. */
    path: string
    /** Bytes in the file of the deployment before the content. */
    position: number
    /** Bytes. */
    size: number
    /** 64 hexadecimal digits. */
    sha256: string
  }
}
