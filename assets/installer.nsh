; What our installer does besides: electron-builder calls these macros (electron.build/nsis, "Custom NSIS script").

; One data folder for each machine, for all its accounts: two stations with an outbox of their own would send one
; camera's folder twice. src-main/electron/data-folder.ts looks for it by this name.
!define DATA_FOLDER_NAME "Fundus Courier"
; Kept apart from the program's own key, which every update removes and writes again.
!define DATA_FOLDER_KEY "Software\Fundus Courier"
; Beside the program, where only administrators write, it says that the data folder was set up here: anyone may make a
; folder in %ProgramData%, and a program that was installed for one account takes none (data-folder.ts).
!define DATA_FOLDER_MARK "machine-data-folder"

!include "${__FILEDIR__}/installer-texts.nsh"

!macro customInstall
  ${if} $installMode == "all"
    !insertmacro makeDataFolder
  ${endif}
!macroend

; $R9: "administrators" if the owner is one of them or the system, else "others". $R5, $R7 and $R8 are lost.
; 1 and 1: a file or folder, its owner. 26 and 22: WinBuiltinAdministratorsSid, WinLocalSystemSid (winnt.h).
!macro askWhose PATH
  StrCpy $R9 "others"
  System::Call 'advapi32::GetNamedSecurityInfoW(w "${PATH}", i 1, i 1, *p .R7, p 0, p 0, p 0, *p .R8) i .R5'
  ${if} $R5 == 0
    System::Call 'advapi32::IsWellKnownSid(p R7, i 26) i .R5'
    ${if} $R5 == 0
      System::Call 'advapi32::IsWellKnownSid(p R7, i 22) i .R5'
    ${endif}
    ${if} $R5 != 0
      StrCpy $R9 "administrators"
    ${endif}
    System::Call 'kernel32::LocalFree(p R8)'
  ${endif}
!macroend

; As askWhose, and "others" also for what leads elsewhere, or is no folder (0x10) or no file (0) as KIND demands. 0x400: FILE_ATTRIBUTE_REPARSE_POINT. What is not there has all of them.
!macro askWhoseOwn PATH KIND
  !insertmacro askWhose "${PATH}"
  System::Call 'kernel32::GetFileAttributesW(w "${PATH}") i .R8'
  IntOp $R8 $R8 & 0x410
  IntOp $R5 ${KIND} + 0
  ${if} $R8 != $R5
    StrCpy $R9 "others"
  ${endif}
!macroend

; For the system and administrators, whatever was granted before. $R9: "0" on success.
!macro closeDataFolder
  nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /setowner *S-1-5-32-544 /L /Q'
  Pop $R9
  nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /reset /L /Q'
  Pop $R9
  nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" /L /Q'
  Pop $R9
!macroend

; Closed to all but the system, administrators and those who run the station: the switch /OPERATORS="DOMAIN\Group" names
; them; without it, those who are signed in at this computer (S-1-5-4), and no one over the network.
; Well-known accounts stand as numbers: their names differ from language to language.
; $R6: the folder; $R4: "known" if we set it up before; $R3: what went wrong with it, or "".
!macro makeDataFolder
  Push $R3
  Push $R4
  Push $R5
  Push $R6
  Push $R7
  Push $R8
  Push $R9
  StrCpy $R3 ""
  ; Of all users: %ProgramData%.
  StrCpy $R6 "$APPDATA\${DATA_FOLDER_NAME}"
  !insertmacro askWhose "$R6"
  ReadRegStr $R7 HKLM "${DATA_FOLDER_KEY}" DataFolder
  StrCpy $R4 ""
  ${if} $R7 == $R6
    StrCpy $R4 "known"
  ${endif}
  ; An administrator may have changed the rights since, or moved it by a link: they are set once. The policy's are set each
  ; time, below. If the folder was removed, anyone may have made another.
  ${if} $R4 != "known"
  ${orIf} $R9 != "administrators"
    !insertmacro setUpDataFolder
  ${else}
    !insertmacro refuseForeignPolicy
    !insertmacro closePolicy
  ${endif}
  ${if} $R3 == ""
    ; Without the mark the station would take neither this folder nor its policy.
    ClearErrors
    FileOpen $R8 "$INSTDIR\resources\${DATA_FOLDER_MARK}" w
    FileWrite $R8 "The data folder of this computer was set up."
    FileClose $R8
    ${if} ${Errors}
      !insertmacro setReason mark
    ${endif}
  ${endif}
  ${if} $R3 == ""
    WriteRegStr HKLM "${DATA_FOLDER_KEY}" DataFolder "$R6"
  ${else}
    ; Without rights of its own it is not used, so that no one reads what they may not.
    DeleteRegValue HKLM "${DATA_FOLDER_KEY}" DataFolder
    Delete "$INSTDIR\resources\${DATA_FOLDER_MARK}"
    SetErrorLevel 2
    !insertmacro showText dataFolderFailed
  ${endif}
  Pop $R9
  Pop $R8
  Pop $R7
  Pop $R6
  Pop $R5
  Pop $R4
  Pop $R3
!macroend

; Any account may make a folder in %ProgramData%, also one that leads elsewhere: elevated icacls would then change the
; rights of that place. Only an administrator's own is worked on, such as one in which the policy lies already; another is
; moved aside with all that is in it. Asked after it is made, because then no one can put another there. One that we set up
; before may hold cases and stays where it is: an administrator may have changed its owner.
!macro setUpDataFolder
  CreateDirectory "$R6"
  !insertmacro askWhoseOwn "$R6" 0x10
  ${if} $R9 == "others"
  ${andIf} $R4 == "known"
  ${andIf} $R8 == $R5
    StrCpy $R9 "administrators"
    SetErrorLevel 2
    !insertmacro showText ownerChanged
  ${endif}
  ${if} $R9 == "others"
    StrCpy $R8 1
    ${doWhile} ${FileExists} "$R6 (set aside $R8)"
      IntOp $R8 $R8 + 1
    ${loop}
    Rename "$R6" "$R6 (set aside $R8)"
    StrCpy $R4 "$R6 (set aside $R8)"
    CreateDirectory "$R6"
    !insertmacro askWhoseOwn "$R6" 0x10
    ${if} $R9 == "administrators"
      SetErrorLevel 2
      !insertmacro showText foreignFolder
    ${endif}
  ${endif}
  ${if} $R9 == "others"
    !insertmacro setReason foreign
  ${else}
    ; Closed first: nothing is put into it while it is searched.
    !insertmacro closeDataFolder
    ${if} $R9 != "0"
      !insertmacro setReason rights
    ${endif}
  ${endif}
  ${if} $R3 == ""
    ; Ends with 0 if it found one.
    nsExec::Exec '"$SYSDIR\cmd.exe" /d /c dir /al /s /b "$R6"'
    Pop $R9
    ${if} $R9 == "0"
      !insertmacro setReason links
    ${endif}
  ${endif}
  ${if} $R3 == ""
    ; Before owners are made the same.
    !insertmacro refuseForeignPolicy
  ${endif}
  ${if} $R3 == ""
    ; The earlier owner of a file there loses it. In an empty folder there is nothing to change.
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\*" /setowner *S-1-5-32-544 /T /C /L /Q'
    Pop $R9
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\*" /reset /T /C /L /Q'
    Pop $R9
    !insertmacro closePolicy
    !insertmacro letOperatorsIn
  ${endif}
!macroend

; On failure it stays closed: a folder that holds files could not be removed.
!macro letOperatorsIn
  ${GetParameters} $R8
  ClearErrors
  ${GetOptions} $R8 "/OPERATORS=" $R7
  ${if} ${Errors}
    StrCpy $R7 "*S-1-5-4"
  ${endif}
  nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /grant "$R7:(OI)(CI)(IO)M" /L /Q'
  Pop $R9
  ; In the folder itself they make files, and cannot put another folder in its place.
  ${if} $R9 == "0"
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6" /grant "$R7:(RC,S,RD,WD,AD,REA,WEA,X,RA,WA)" /L /Q'
    Pop $R9
  ${endif}
  ${if} $R9 != "0"
    !insertmacro closeDataFolder
    !insertmacro setReason operators
    ${if} $R9 != "0"
      !insertmacro setReason operatorsAndRights
    ${endif}
  ${endif}
!macroend

; The writer of the policy decides what runs here: only administrators, also for one that they write later. The empty one
; decides nothing. One of another writer is moved aside, and the file in its place is no policy: the station then keeps to
; the last policy, and says so at every start.
!macro refuseForeignPolicy
  ${if} ${FileExists} "$R6\policy.json"
    !insertmacro askWhoseOwn "$R6\policy.json" 0
    ${if} $R9 == "others"
      Delete "$R6\policy.set-aside.json"
      ClearErrors
      Rename "$R6\policy.json" "$R6\policy.set-aside.json"
      ${if} ${Errors}
        !insertmacro setReason policy
      ${else}
        FileOpen $R8 "$R6\policy.json" w
        FileWrite $R8 "What was here was not written by an administrator: see policy.set-aside.json."
        FileClose $R8
        SetErrorLevel 2
        !insertmacro showText foreignPolicy
      ${endif}
    ${endif}
  ${else}
    FileOpen $R8 "$R6\policy.json" w
    FileWrite $R8 "{}"
    FileClose $R8
  ${endif}
!macroend

!macro closePolicy
  ${if} $R3 == ""
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\policy.json" /setowner *S-1-5-32-544 /L /Q'
    Pop $R9
    nsExec::Exec '"$SYSDIR\icacls.exe" "$R6\policy.json" /inheritance:r /grant:r "*S-1-5-18:F" "*S-1-5-32-544:F" "*S-1-5-32-545:R" /L /Q'
    Pop $R9
  ${endif}
!macroend

; The cases stay. What would start a program that is not there any more goes, for every account that is signed in; an
; update removes the old program, too, and leaves it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    Push $R6
    Push $R7
    StrCpy $R6 0
    ${do}
      EnumRegKey $R7 HKU "" $R6
      ${if} $R7 == ""
        ${break}
      ${endif}
      DeleteRegValue HKU "$R7\Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
      DeleteRegValue HKU "$R7\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
      IntOp $R6 $R6 + 1
    ${loop}
    Pop $R7
    Pop $R6
  ${endif}
!macroend
