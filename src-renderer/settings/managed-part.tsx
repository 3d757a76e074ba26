import { IconBuilding, IconLock } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { t } from '../words/t.ts'
import { managedAs, type SettingsKey } from './managed.ts'
import css from './managed-part.module.css'
import { useManaged } from './use-managed.ts'

export type ManagedGroupProps = {
  /** The settings that stand in here. */
  readonly keys: readonly SettingsKey[]
  /** False where the same is said just above. */
  readonly isNoted?: boolean
  readonly children: ReactNode
}

/** Inputs of settings that an administrator may have stated: then they say so, and are locked where that is enforced. */
export function ManagedGroup({ keys, isNoted = true, children }: ManagedGroupProps) {
  const id = useId()
  const as = managedAs(useManaged(), keys)
  return (
    <fieldset
      className={css.part}
      disabled={as === 'enforced'}
      aria-describedby={as !== null && isNoted ? id : undefined}
      data-managed={as ?? undefined}
    >
      {as !== null && isNoted && <ManagedNote id={id} as={as} />}
      {children}
    </fieldset>
  )
}

function ManagedNote({ id, as }: { readonly id: string; readonly as: 'enforced' | 'preset' }) {
  const Sign = as === 'enforced' ? IconLock : IconBuilding
  return (
    <p id={id} className={css.note} data-managed={as}>
      <Sign size={17} aria-hidden />
      {t(`settings:managed.${as}`)}
    </p>
  )
}
