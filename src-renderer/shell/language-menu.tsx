import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { chooseLanguage, LANGUAGES, useLanguageChoice } from '../words/language.ts'
import { t } from '../words/t.ts'

const CHOICES = ['auto', ...LANGUAGES] as const

/** The language of this screen; each is written in itself, so that who cannot read the present one finds it. */
export function LanguageMenu() {
  const choice = useLanguageChoice()
  const label = t('shell:language.label')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon variant="default" size={36} aria-label={`${label}: ${t(`shell:language.${choice}`)}`}>
            <IconLanguage size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map((language) => (
          <Menu.Item
            key={language}
            lang={language === 'auto' ? undefined : language}
            aria-current={language === choice}
            fw={language === choice ? 650 : 400}
            onClick={() => void chooseLanguage(language, window)}
          >
            {t(`shell:language.${language}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
