import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

import { t } from '../words/t.ts'
const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

/** Light, dark, or as the system: the system by default, since camera rooms are dark. */
export function SchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Sign = SCHEMES.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('shell:scheme.label')}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`${t('shell:scheme.label')}: ${t(`shell:scheme.${colorScheme}`)}`}
          >
            <Sign size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ scheme, icon: ItemSign }) => (
          <Menu.Item
            key={scheme}
            leftSection={<ItemSign size={16} aria-hidden />}
            aria-current={scheme === colorScheme}
            fw={scheme === colorScheme ? 650 : 400}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`shell:scheme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
