/** The default folder of the projects' repositories, beside the data file. */
export const repositoriesFolderOf = (dataFile: string): string => `${dataFile}.repositories`
