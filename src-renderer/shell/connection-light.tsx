import { Tooltip } from '@mantine/core'
import { formatAge } from '../format/instants.ts'
import { useStation } from '../store/use-station.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import css from './header.module.css'

/** How the service stands, as a lamp whose form changes with its colour, and a word. */
export function ConnectionLight() {
  const connection = useStation((state) => state.connection)
  const status = useStation((state) => state.status)
  const words = SHELL_WORDS.light
  const light = connection.kind === 'lost' ? 'lost' : (status?.service.health ?? 'unknown')
  const word = light === 'reachable' ? words.open : words[light]
  const lastSuccessAt = status?.service.lastSuccessAt ?? null
  const title =
    lastSuccessAt === null || status === null
      ? word
      : `${word}, ${words.lastSuccess(formatAge(status.now - lastSuccessAt))}`
  return (
    <Tooltip label={title}>
      <span className={css.light} aria-label={`${words.label}: ${word}`} role="img">
        <span className={css.lamp} data-light={light === 'reachable' ? 'open' : light} />
        <span>{word}</span>
      </span>
    </Tooltip>
  )
}
