import { Button, Group, Menu, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconBuildingHospital, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { Center } from '../../src-shared/case.ts'
import { STATES_OF_FILTER } from '../store/queue-view.ts'
import { useAnswer } from '../store/use-answer.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './header.module.css'
import { runCall } from './run-call.ts'
import { tell } from './tell.tsx'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

function nameOf(center: Center): string {
  return center.name ?? t('shell:center.unnamed', { id: center.centerId })
}

/** The center that new cases are made for, always in sight; changing it says what happens to those that wait. */
export function CenterMenu() {
  const session = useSession()
  const centerId = useStation((state) => state.status?.centerId ?? null)
  const waiting = useStation(({ status }) =>
    STATES_OF_FILTER.open.reduce((sum, state) => sum + (status?.counts[state] ?? 0), 0),
  )
  // The id is known from the start; its name takes a question to the service.
  const { value, failure, readAgain } = useAnswer('centers.list', {})
  const centers = value?.items ?? null
  const [wanted, setWanted] = useState<Center | null>(null)

  const current = centers?.find((center) => center.centerId === centerId)
  const shown = current
    ? nameOf(current)
    : centerId === null
      ? t('shell:center.none')
      : t('shell:center.unnamed', { id: centerId })

  const change = async (center: Center): Promise<void> => {
    setWanted(null)
    const changed = await runCall(session, 'centers.change', { centerId: center.centerId })
    if (changed) tell({ tone: 'green', message: t('shell:center.changed', { name: nameOf(center) }) })
  }

  return (
    <>
      <Menu position="bottom-start" width={320} onOpen={readAgain}>
        <Menu.Target>
          <UnstyledButton className={css.center}>
            <IconBuildingHospital size={20} stroke={1.7} aria-hidden />
            <span className={css.centerWords}>
              <span className={css.centerLabel}>{t('shell:center.label')}</span>{' '}
              <span className={`${css.centerName} truncate`}>{shown}</span>
            </span>
            <IconChevronDown size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('shell:center.choose')}</Menu.Label>
          {centers?.map((center) => (
            <Menu.Item
              key={center.centerId}
              leftSection={<IconCheck size={16} aria-hidden opacity={center.centerId === centerId ? 1 : 0} />}
              rightSection={
                <Text size="xs" c="dimmed">
                  {center.centerId}
                </Text>
              }
              disabled={center.centerId === centerId}
              onClick={() => setWanted(center)}
            >
              {nameOf(center)}
            </Menu.Item>
          ))}
          {centers?.length === 0 && <Menu.Label>{t('shell:center.empty')}</Menu.Label>}
          {failure !== null && <Menu.Label>{said(failure.message)}</Menu.Label>}
          {centers === null && failure === null && <Menu.Label>{t('shell:center.loading')}</Menu.Label>}
          <Menu.Divider />
          <Menu.Label>{t('shell:center.explain')}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={wanted !== null}
        onClose={() => setWanted(null)}
        title={wanted && t('shell:center.confirmTitle', { name: nameOf(wanted) })}
        closeButtonProps={{ 'aria-label': t('shell:close') }}
      >
        <Stack>
          <Text>{t('shell:center.explain')}</Text>
          <Text fw={600}>{t('shell:center.waitingKeep', { count: waiting })}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setWanted(null)}>
              {t('shell:cancel')}
            </Button>
            <Button onClick={() => wanted && void change(wanted)}>{t('shell:center.confirm')}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
