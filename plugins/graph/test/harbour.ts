const key = (name: string) => ({ name, type: 'STRING', is_primary_key: true });
/** The fee has a type that not every engine can store. */
export const harbour = (feeType: string) => ({
  name: 'harbour',
  nodes: [
    {
      name: 'Vessel',
      properties: [
        key('imo'),
        { name: 'name', type: 'STRING', nullable: false },
        { name: 'gross_tonnes', type: 'INT64' },
      ],
    },
    {
      name: 'Berth',
      properties: [key('code'), { name: 'depth_m', type: 'DOUBLE' }, { name: 'fee', type: feeType }],
    },
  ],
  relationships: [
    {
      name: 'VESSEL_CALLS_AT_BERTH',
      from_node: 'Vessel',
      to_node: 'Berth',
      properties: [
        { name: 'arrived', type: 'DATE' },
        { name: 'hours', type: 'DOUBLE' },
      ],
    },
  ],
});
export const vessels = 'imo,name,gross_tonnes\n9300001,Alba,12000\n9300002,Brig,\n9300001,Alba II,9007199254740993\n';
