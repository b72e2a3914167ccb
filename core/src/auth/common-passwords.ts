/**
 * Words that people build passwords on. A password counts as common when nothing but one of them is left after
 * digits and signs around it are taken off and the usual letter swaps are undone, so that each word stands for
 * all its decorations (`Sunshine2024!`, `5un5h1ne#1`) and the list need not hold them.
 */
const words = `
abc access account alexander amanda america andrea andrew angel anthony apple arsenal ashley august autumn
baby babygirl badboy bailey banana barcelona baseball basketball batman beautiful benjamin blessed blink boomer
brandon brooklyn buster butterfly
camaro carlos changeme charlie cheese chelsea chicago chocolate christian christmas coffee company computer
cookie corvette cowboys crystal
dakota dallas daniel danielle database december default diamond dolphin donald dragon
eagles elephant elizabeth eminem emily england estrella
facebook family february ferrari fishing flower football forever freedom friday friend friends
gabriel garfield george ginger gandalf google guest guitar
hammer hannah happy harley heather hello helloworld hockey hunter
iceman iloveyou internet isabella
jackson january jasmine jasper jennifer jessica jesus jordan jordan joshua july june justin
killer knight
letmein liberty liverpool london lovely loveme lovers
maggie magic manager march marina marlboro martin master matrix matthew maverick melissa mercedes merlin
michael michelle midnight money monday monkey monster morgan mother mustang
naruto nascar natasha newyork nicole nicholas ninja november
october office oliver orange
pacific pakistan panther paradise party passport passwort patrick peanut pepper phoenix player please pokemon
porsche prince princess private purple
qazwsx qwertyuiop
rachel raiders rainbow ranger rebecca redsox richard robert rockstar root royals
sabrina samantha samsung samuel saturday scooter secret secure september server service shadow shannon silver
snoopy soccer sophie spiderman spring starwars steelers stephanie steven summer sunday sunshine superman support
sweetheart system
taylor temp temporary tequila test tester testing thomas thunder thursday tigers tigger tinkerbell trustno
truelove tuesday
unicorn united
vanessa victoria vincent
wednesday whatever william willow windows winner winter wizard
yamaha yankees yellow
zaqxsw zxcvbnm
accountant accounting admin administrator backup balance bank banking bookkeeping budget business cash checkbook
controller credit dashboard debit finance financial invoice journal ledger login money office payroll password
qwerty quickbooks report statement taxes treasury user welcome
`;

const commonWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''));

const swaps: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Whether a password is one well-known word under decorations (platform A-25). */
export function isCommonPassword(password: string): boolean {
  const lowered = password.toLowerCase();
  const bare = (text: string) => text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const swapped = (text: string) => [...text].map((character) => swaps[character] ?? character).join('');
  const undecorated = lowered.replace(/[\d\W_]+$/, '');
  return [bare(lowered), bare(swapped(lowered)), swapped(undecorated)].some((text) => commonWords.has(text));
}
