/** The default folder of the projects' repositories, beside the data file. */
export const repositoriesFolderOf = (dataFile: string): string => `${dataFile}.repositories`

/** The default folder of files such as uploads, beside the data file. */
export const filesFolderOf = (dataFile: string): string => `${dataFile}.files`
