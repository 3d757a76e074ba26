import { Button, Menu } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { runCall } from './run-call.ts'
import { t } from '../words/t.ts'

const PAUSE_CHOICES = [
  { seconds: (15 * MINUTE) / SECOND, word: 'for15' },
  { seconds: HOUR / SECOND, word: 'for60' },
  { seconds: null, word: 'untilResumed' },
] as const

/** Stops and starts sending. A pause for another reason than a person is ended by mending that reason. */
export function PauseControl() {
  const session = useSession()
  const mode = useStation((state) => state.status?.mode)
  if (mode?.kind === 'paused' && mode.why === 'person')
    return (
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        onClick={() => void runCall(session, 'station.resume', {})}
      >
        {t('shell:pause.resume')}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={17} aria-hidden />}
          disabled={mode?.kind !== 'running'}
        >
          {t('shell:pause.pause')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell:pause.menu')}</Menu.Label>
        {PAUSE_CHOICES.map(({ seconds, word }) => (
          <Menu.Item key={word} onClick={() => void runCall(session, 'station.pause', { seconds })}>
            {t(`shell:pause.${word}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell:pause.explain')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}
