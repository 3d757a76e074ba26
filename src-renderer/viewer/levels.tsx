import { IconRestore } from '@tabler/icons-react'
import { useId } from 'react'
import { hasOtherLevels, LEVEL_RANGES, withoutLevels, type Adjustments, type Level } from './adjustments.ts'
import css from './levels.module.css'
import { t } from '../words/t.ts'
import { Tool, ToolGroup } from './tool.tsx'

const LEVELS: readonly Level[] = ['brightness', 'contrast', 'gamma']
const STEP = 0.05

export type LevelsProps = {
  readonly adjustments: Adjustments
  readonly onAdjust: (adjustments: Adjustments) => void
}

/** Brightness, contrast and gamma, and the way back. */
export function Levels({ adjustments, onAdjust }: LevelsProps) {
  return (
    <ToolGroup label={t('viewer:tools.levels')}>
      {LEVELS.map((level) => (
        <LevelSlider
          key={level}
          level={level}
          value={adjustments[level]}
          onChange={(value) => onAdjust({ ...adjustments, [level]: value })}
        />
      ))}
      <Tool
        label={t('viewer:tools.resetLevels')}
        shortcut="C"
        isPossible={hasOtherLevels(adjustments)}
        onPress={() => onAdjust(withoutLevels(adjustments))}
      >
        <IconRestore size={19} aria-hidden />
      </Tool>
    </ToolGroup>
  )
}

type LevelSliderProps = {
  readonly level: Level
  readonly value: number
  readonly onChange: (value: number) => void
}

function LevelSlider({ level, value, onChange }: LevelSliderProps) {
  const id = useId()
  return (
    <div className={css.level}>
      <label htmlFor={id}>{t(`viewer:tools.${level}`)}</label>
      <input
        id={id}
        type="range"
        className={css.slider}
        {...LEVEL_RANGES[level]}
        step={STEP}
        value={value}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}
