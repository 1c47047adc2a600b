// Included, unseen, by the examples of the documentation.

/// A ball of radius 0.1 on a link that slides along x from 0 to 2. In its way, a wall whose front
/// is at 0.95.
fn slide() -> nearhit_robot::Checker {
    let text = r#"<robot name="arm"><link name="base"/><link name="hand"><collision>
        <geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
            <axis xyz="1 0 0"/><limit lower="0" upper="2"/></joint></robot>"#;
    let robot = nearhit_robot::Robot::parse(text, "arm.urdf".as_ref(), &Default::default()).expect("a robot");
    let mut checker = nearhit_robot::Checker::new(robot, Default::default()).expect("shapes");
    let wall = nearhit::shape::Shape::cuboid([0.1, 1.0, 1.0]).expect("a wall");
    let at = nearhit::Pose::from_translation([1.0, 0.0, 0.0]).expect("finite numbers");
    checker.add_to_world("wall", wall, at).expect("a new name");
    checker
}
