import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { formatCount } from '../format/numbers.ts'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { SETTINGS_WORDS } from '../words/settings-words.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import css from './settings-screen.module.css'

const WORDS = SETTINGS_WORDS.folders.asking

export type ExistingDecisionProps = { readonly path: string; readonly count: number }

/** Asks once what the files are that lay in a folder before the first start. */
export function ExistingDecision({ path, count }: ExistingDecisionProps) {
  const session = useSession()
  const [isAsking, asking] = useDisclosure(false)
  const decide = async (existing: 'include' | 'ignore'): Promise<void> => {
    asking.close()
    if (await runCall(session, 'folders.decideExisting', { path, existing }))
      tell({ tone: 'green', message: existing === 'include' ? WORDS.included : WORDS.ignored })
  }
  return (
    <div className={css.asking}>
      <strong>{WORDS.title(formatCount(count))}</strong>
      <p>{WORDS.body}</p>
      <Group gap={8} mt={4}>
        <Button variant="default" onClick={() => void decide('ignore')}>
          {WORDS.ignore}
        </Button>
        <Button variant="default" onClick={asking.open}>
          {WORDS.include}
        </Button>
      </Group>
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={WORDS.confirmTitle(formatCount(count))}
        closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
      >
        <Stack>
          <Text>{WORDS.confirm}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={asking.close}>
              {SHELL_WORDS.cancel}
            </Button>
            <Button onClick={() => void decide('include')}>{WORDS.include}</Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  )
}
