import { Tooltip } from '@mantine/core'
import { formatAge } from '../format/instants.ts'
import { useStation } from '../store/use-station.ts'
import css from './header.module.css'
import { t } from '../words/t.ts'

/** How the service stands, as a lamp whose form changes with its colour, and a word. */
export function ConnectionLight() {
  const connection = useStation((state) => state.connection)
  const status = useStation((state) => state.status)
  const light = connection.kind === 'lost' ? 'lost' : (status?.service.health ?? 'unknown')
  const label = light === 'reachable' ? t('shell:light.open') : t(`shell:light.${light}`)
  const lastSuccessAt = status?.service.lastSuccessAt ?? null
  const title =
    lastSuccessAt === null || status === null
      ? label
      : `${label}, ${t('shell:light.lastSuccess', { when: formatAge(status.now - lastSuccessAt) })}`
  return (
    <Tooltip label={title}>
      <span className={css.light} aria-label={`${t('shell:light.label')}: ${label}`} role="img">
        <span className={css.lamp} data-light={light === 'reachable' ? 'open' : light} />
        <span>{label}</span>
      </span>
    </Tooltip>
  )
}
