/** An image with a link that projects show, such as the state of a pipeline. */
export interface Badge {
  /** Id of the badge on the instance. */
  id: number
  /** Name; null without one. */
  name: string | null
  /** Address of the link, with placeholders such as `%{project_path}`. */
  linkUrl: string
  /** Address of the image, with placeholders such as `%{project_path}`. */
  imageUrl: string
  /** `linkUrl` with the values of the placeholders. */
  renderedLinkUrl: string
  /** `imageUrl` with the values of the placeholders. */
  renderedImageUrl: string
  /** Whether the badge belongs to the project itself or to a group, whose projects all have it. */
  kind: 'project' | 'group'
}

/** The addresses of a badge that does not exist yet. */
export type BadgePreview = Pick<Badge, 'linkUrl' | 'imageUrl' | 'renderedLinkUrl' | 'renderedImageUrl'>
