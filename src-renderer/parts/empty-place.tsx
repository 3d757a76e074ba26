import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './empty-place.module.css'

export type EmptyStateProps = {
  readonly icon: Icon
  readonly title: string
  readonly body: string
  /** Where it takes the place of a whole screen, its title is the one of the screen. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}

/** Two lines for an empty list: what is not here, and how it gets here. */
export function EmptyState({ icon: Sign, title, body, isScreen = false, children }: EmptyStateProps) {
  return (
    <div className={css.place}>
      <span className={css.sign}>
        <Sign size={28} stroke={1.6} aria-hidden />
      </span>
      {isScreen ? <h1>{title}</h1> : <strong>{title}</strong>}
      <p>{body}</p>
      {children}
    </div>
  )
}
