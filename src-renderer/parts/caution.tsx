import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './caution.module.css'

/** A sentence that somebody must have read before going on. */
export function Caution({ children }: { readonly children: ReactNode }) {
  return (
    <p className={css.caution}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
