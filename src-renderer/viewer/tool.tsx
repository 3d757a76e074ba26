import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../words/t.ts'
import css from './tool.module.css'

export type ToolProps = {
  readonly label: string
  /** The key that does the same. */
  readonly shortcut?: string
  /** What it means, where the label is a technical word. */
  readonly means?: string
  /** For tools that are on or off. */
  readonly isPressed?: boolean
  readonly isPossible?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

/** A button that is dark in both themes, as all of the viewer is. */
export function Tool(props: ToolProps) {
  const { label, shortcut, means = label, isPressed, isPossible = true, onPress, children } = props
  return (
    <UnstyledButton
      className={css.tool}
      title={shortcut === undefined ? means : t('viewer:keyed', { what: means, key: shortcut })}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={isPressed}
      // A button that is disabled while it has the focus would lose it, and with it the keyboard.
      aria-disabled={!isPossible}
      onClick={() => isPossible && onPress()}
    >
      {children}
    </UnstyledButton>
  )
}

export type ToolGroupProps = { readonly label: string; readonly children: ReactNode }

/** Tools that belong together. */
export function ToolGroup({ label, children }: ToolGroupProps) {
  return (
    <div className={css.group} role="group" aria-label={label}>
      {children}
    </div>
  )
}
